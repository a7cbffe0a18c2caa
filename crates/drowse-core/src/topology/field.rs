//! Finite fields of q elements, q a power of a prime, as tables of the powers of a primitive element.
//!
//! An element is the number whose digits to the base p are the coefficients of a polynomial over the integers modulo p;
//! they are multiplied modulo a polynomial such that the powers of the element x run through all others but 0.

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    p: u32,
    q: u32,
    /// The powers of the primitive element, from 1 on, up to the one before it comes again.
    powers: Vec<u32>,
    /// Of which power each element is; 0 of none.
    exponent: Vec<u32>,
}

impl Field {
    /// Makes the field of so many elements, 2 to 65535; `None` where there is none.
    pub fn new(q: u32) -> Option<Self> {
        let p = (2..=q).find(|p| q.is_multiple_of(*p))?;
        let degree = (1..=16).find(|&degree| p.checked_pow(degree) == Some(q))?;
        // The coefficients of the polynomial below its highest power, as an element.
        let powers = (1..q).find_map(|polynomial| powers(p, degree, polynomial))?;
        let mut exponent = vec![0; q as usize];
        (0..).zip(&powers).for_each(|(power, &element)| exponent[element as usize] = power);
        Some(Field { p, q, powers, exponent })
    }

    /// Returns a power of the primitive element.
    pub fn power(&self, exponent: u32) -> u32 {
        self.powers[(exponent % (self.q - 1)) as usize]
    }

    /// Adds.
    pub fn sum(&self, a: u32, b: u32) -> u32 {
        by_digit(self.p, a, b, |a, b| (a + b) % self.p)
    }

    /// Multiplies.
    pub fn product(&self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 { 0 } else { self.power(self.exponent[a as usize] + self.exponent[b as usize]) }
    }
}

/// Returns the powers of x modulo a polynomial of a degree; `None` if they do not run through all elements but 0.
fn powers(p: u32, degree: u32, polynomial: u32) -> Option<Vec<u32>> {
    let (q, top) = (p.pow(degree), p.pow(degree - 1));
    let times_x = |element: u32| {
        let lead = element / top;
        by_digit(p, element % top * p, polynomial, |digit, coefficient| (digit + (p - lead) * coefficient) % p)
    };
    let mut powers = vec![1];
    for _ in 2..q {
        match times_x(*powers.last()?) {
            0 | 1 => return None,
            next => powers.push(next),
        }
    }
    (times_x(*powers.last()?) == 1).then_some(powers)
}

fn by_digit(p: u32, mut a: u32, mut b: u32, digit: impl Fn(u32, u32) -> u32) -> u32 {
    let (mut unit, mut result) = (1, 0);
    while a > 0 || b > 0 {
        result += digit(a % p, b % p) * unit;
        (a, b, unit) = (a / p, b / p, unit * p);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The axioms that tell a field from other rings: every element has its inverses, and products distribute over
    /// sums.
    #[test]
    fn axioms() {
        for q in [2, 3, 4, 5, 7, 8, 9, 16, 25, 27] {
            let field = Field::new(q).expect("a prime power");
            for a in 0..q {
                assert_eq!((0..q).filter(|&b| field.sum(a, b) == 0).count(), 1, "{q}: -{a}");
                assert_eq!((0..q).filter(|&b| field.product(a, b) == 1).count(), usize::from(a != 0), "{q}: 1/{a}");
                for (b, c) in (0..q).flat_map(|b| (0..q).map(move |c| (b, c))) {
                    let apart = field.sum(field.product(a, b), field.product(a, c));
                    assert_eq!(field.product(a, field.sum(b, c)), apart, "{q}: {a} ({b} + {c})");
                    assert_eq!(field.product(field.product(a, b), c), field.product(a, field.product(b, c)));
                }
            }
        }
        for q in [0, 1, 6, 10, 12, 15, 36, 100] {
            assert!(Field::new(q).is_none(), "{q}");
        }
    }
}
