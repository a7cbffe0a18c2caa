//! Boxes of points, one of each rank of an open grid: up to 26 neighbours share a face, an edge or a corner of a rank's
//! box. The rank at (x, y, z) is x + X (y + Y z).

/// The grid of ranks, and the points of each box, by axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boxes {
    pub dims: [u32; 3],
    pub sides: [u64; 3],
}

impl Boxes {
    /// Returns a function that finds the neighbour of a rank in a direction, -1, 0 or 1 along each axis, and how many points
    /// of the rank lie there. The rank itself is no neighbour.
    pub fn around(self, rank: u32) -> impl Fn([i32; 3]) -> Option<(u32, u64)> {
        let Boxes { dims, sides } = self;
        let place = [rank % dims[0], rank / dims[0] % dims[1], rank / (dims[0] * dims[1])];
        move |direction| {
            let (mut other, mut points) = (0, 1);
            for axis in (0..3).rev() {
                let at = place[axis].checked_add_signed(direction[axis]).filter(|&at| at < dims[axis])?;
                other = other * dims[axis] + at;
                points *= if direction[axis] == 0 { sides[axis] } else { 1 };
            }
            (other != rank).then_some((other, points))
        }
    }

    /// Returns the pairs of neighbours, each in both directions: along a line of n ranks there are 3 n - 2 of a rank and
    /// itself or a neighbour.
    pub fn pairs(&self) -> u64 {
        let near: u64 = self.dims.into_iter().map(|ranks| 3 * u64::from(ranks) - 2).product();
        near - self.dims.into_iter().map(u64::from).product::<u64>()
    }

    /// Returns the points that all ranks send if each sends its own to all neighbours: along a line each has its own n,
    /// and one of each neighbour.
    pub fn halos(&self) -> u64 {
        let lines = self.dims.into_iter().zip(self.sides).map(|(ranks, side)| (u64::from(ranks), side));
        let with_halos: u64 = lines.clone().map(|(ranks, side)| ranks * side + 2 * (ranks - 1)).product();
        with_halos - lines.map(|(ranks, side)| ranks * side).product::<u64>()
    }

    /// Returns the points of the largest face between two ranks, if there are two.
    pub fn largest_face(&self) -> Option<u64> {
        let [x, y, z] = self.sides;
        let faces = self.dims.into_iter().zip([y * z, x * z, x * y]);
        faces.filter(|(ranks, _)| *ranks > 1).map(|(_, face)| face).max()
    }
}
