//! Keeps what is dear to make and needed again soon.

use std::sync::{Mutex, PoisonError};

/// How many values are kept: enough for the applications that run side by side, few enough that a sweep over many
/// networks or traces does not fill the memory.
const KEPT: usize = 8;

/// The values that were used last, by name; shared by all threads.
pub struct LruCache<V> {
    /// The last used comes first.
    kept: Mutex<Vec<(String, V)>>,
}

impl<V> Default for LruCache<V> {
    fn default() -> Self {
        LruCache { kept: Mutex::new(Vec::new()) }
    }
}

impl<V: Clone> LruCache<V> {
    /// Returns the value of a name, making it if it is not kept; others wait meanwhile, so that nothing is made twice.
    pub fn get<E>(&self, name: &str, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        // A thread that panicked while it held the lock left the list whole.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match kept.iter().position(|(known, _)| known == name) {
            Some(found) => kept.remove(found),
            None => (name.to_owned(), make()?),
        };
        let value = entry.1.clone();
        kept.insert(0, entry);
        kept.truncate(KEPT);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_is_kept() {
        let cache = LruCache::default();
        let get = |name: usize, made: usize| cache.get(&name.to_string(), || Ok::<_, ()>(made));
        for name in 0..KEPT {
            assert_eq!(get(name, name), Ok(name));
        }
        assert_eq!(get(0, 100), Ok(0), "kept, and now the last used");
        assert_eq!(get(KEPT, 100), Ok(100), "displaces 1");
        assert_eq!([get(0, 200), get(1, 200)], [Ok(0), Ok(200)]);
    }

    #[test]
    fn what_cannot_be_made_is_not_kept() {
        let cache = LruCache::default();
        assert_eq!(cache.get("a", || Err("broken")), Err("broken"));
        assert_eq!(cache.get("a", || Ok::<_, ()>(1)), Ok(1));
    }
}
