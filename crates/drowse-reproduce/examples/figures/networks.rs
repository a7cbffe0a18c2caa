//! Pictures of small networks, one of each family, as `drowse network FILE --format svg` draws them.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_describe::draw::{Drawing, Parts};
use drowse_experiment::Source;

/// Names of files, titles, and what stands in `[network]`.
const NETWORKS: [(&str, &str, &str); 6] = [
    (
        "torus",
        "Torus, 6x4, 2 links to neighbours in the second dimension",
        "kind = 'torus', dims = [6, 4], trunk = [1, 2], nodes = 2",
    ),
    ("hypercube", "Hypercube of dimension 5", "kind = 'hypercube', dimension = 5"),
    (
        "fat-tree",
        "Fat tree, tapered 2:1 at the bottom, parallel links above",
        "kind = 'xgft', children = [6, 4, 3], parents = [3, 2], links = [1, 2]",
    ),
    ("dragonfly", "Dragonfly, a = 4, h = 2, p = 2", "kind = 'dragonfly', p = 2, a = 4, h = 2, groups = 9"),
    (
        "dragonfly-plus",
        "Dragonfly+ of 5 groups",
        "kind = 'dragonfly-plus', nodes = 4, leaves = 4, spines = 4, h = 1, groups = 5",
    ),
    ("hyperx", "HyperX, 5x4", "kind = 'hyperx', dims = [5, 4], nodes = 3"),
];

/// Draws them all into a folder.
pub fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (name, title, network) in NETWORKS {
        let text = format!("title = \"{title}\"\nnetwork = {{ {network} }}\n");
        let source = Source::new(name.as_ref(), text, &[])?;
        let drawing = Drawing::of(&drowse_experiment::system(&Arc::new(source))?, Parts::Fitting)?;
        fs::write(folder.join(format!("{name}.svg")), drowse_picture::svg(&drawing.picture(None)))?;
    }
    Ok(())
}
