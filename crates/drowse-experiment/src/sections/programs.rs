//! The kinds of programs: their keys, and what ranks do.

use drowse_core::workload::programs::{
    AllToAllKeys, BinaryTree, Bt, Butterfly, Cg, Ep, Ft, Given, Graph500Keys, GromacsKeys, HpcgKeys, InferenceKeys, Is,
    Isam, LinpackKeys, Lu, LuleshKeys, MapReduceKeys, Mg, MilcKeys, ModelKeys, ModelProgramKeys, NBodies, NamdKeys,
    NpbKeys, OneAndAllKeys, Parts, PencilFftKeys, PermutationKeys, PingPong, ProgramError, ProgramKeys,
    RandomAccessKeys, RandomKeys, Sp, StencilKeys, Sweep3dKeys, TransformerKeys, WavefrontKeys, Waves,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// A kind of program.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The word that selects it.
    pub word: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Reads its keys.
    pub read: fn(Node<'_>, Given, &Keys) -> Result<Parts, Diagnostic>,
    /// Makes the schema of its keys.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// All that are known here.
pub static KINDS: [Kind; 34] = [
    Kind::of::<StencilKeys>(),
    Kind::of::<MilcKeys>(),
    Kind::of::<NpbKeys<Cg>>(),
    Kind::of::<NpbKeys<Mg>>(),
    Kind::of::<NpbKeys<Lu>>(),
    Kind::of::<NpbKeys<Bt>>(),
    Kind::of::<NpbKeys<Sp>>(),
    Kind::of::<NpbKeys<Ft>>(),
    Kind::of::<NpbKeys<Is>>(),
    Kind::of::<Ep>(),
    Kind::of::<AllToAllKeys>(),
    Kind::of::<RandomKeys>(),
    Kind::of::<PermutationKeys>(),
    Kind::of::<BinaryTree>(),
    Kind::of::<Butterfly>(),
    Kind::of::<WavefrontKeys>(),
    Kind::of::<Waves>(),
    Kind::of::<OneAndAllKeys<false>>(),
    Kind::of::<OneAndAllKeys<true>>(),
    Kind::of::<PingPong>(),
    Kind::of::<NBodies>(),
    Kind::of::<Graph500Keys>(),
    Kind::of::<LinpackKeys>(),
    Kind::of::<RandomAccessKeys>(),
    Kind::of::<NamdKeys>(),
    Kind::of::<GromacsKeys>(),
    Kind::of::<Isam>(),
    Kind::of::<HpcgKeys>(),
    Kind::of::<PencilFftKeys>(),
    Kind::of::<LuleshKeys>(),
    Kind::of::<Sweep3dKeys>(),
    Kind::of::<MapReduceKeys>(),
    Kind::of_model::<TransformerKeys>(),
    Kind::of_model::<InferenceKeys>(),
];

/// Kinds of earlier versions, and what is written now.
const OLD_KINDS: [(&str, &str); 2] = [
    ("mesh", "kind = \"stencil\", order = \"program\", periodic = false (it was false by default)"),
    ("all-to-all-in-turn", "kind = \"all-to-all\", order = \"program\"; its own `order` is called `destinations`"),
];

/// Words of `order` of earlier versions, and what is written now.
const OLD_ORDERS: [(&str, &str); 3] = [
    ("at-once", "order = \"phases\""),
    ("from-next", "order = \"program\", destinations = \"from-next\""),
    ("from-zero", "order = \"program\", destinations = \"from-zero\""),
];

impl Kind {
    /// Returns the kind of a program by its keys.
    pub const fn of<K: ProgramKeys + JsonSchema + 'static>() -> Self {
        Kind { word: K::KIND, about: K::ABOUT, read: read::<K>, schema: K::json_schema }
    }

    /// Returns the kind of a program of a transformer by its keys, beside which are the keys of the transformer's shape.
    const fn of_model<K: ModelProgramKeys + JsonSchema + 'static>() -> Self {
        Kind { word: K::KIND, about: K::ABOUT, read: read_of_model::<K>, schema: WithModel::<K>::json_schema }
    }

    /// Takes the kind out of a table; it is one of these.
    pub fn take<'k>(node: &mut Node<'_>, kinds: &'k [Kind], keys: &Keys) -> Result<&'k Kind, Diagnostic> {
        let written = node.require("kind", keys)?;
        let path = written.path.clone();
        let word: String = written.read(keys)?;
        let Some(found) = kinds.iter().find(|kind| kind.word == word) else {
            let words = || kinds.iter().map(|kind| kind.word).collect::<Vec<_>>();
            let old = old(&OLD_KINDS, &word, keys, &path);
            return Err(old.unwrap_or_else(|| wording::unknown_word(keys, &path, &word, &words())));
        };
        let order = node.text_of("order").filter(|_| KINDS.iter().any(|kind| kind.word == word));
        match order.and_then(|order| old(&OLD_ORDERS, order, keys, &join(&node.path, "order"))) {
            Some(refused) => Err(refused),
            None => Ok(found),
        }
    }
}

/// Says what is written now in place of a word of an earlier version.
fn old(words: &[(&str, &str)], word: &str, keys: &Keys, path: &str) -> Option<Diagnostic> {
    let (_, new) = words.iter().find(|(old, _)| *old == word)?;
    Some(keys.error(path, format!("`{path}` = \"{word}\" has another name now"), format!("write {new}")))
}

fn read<K: ProgramKeys>(node: Node<'_>, given: Given, keys: &Keys) -> Result<Parts, Diagnostic> {
    let path = node.path.clone();
    node.read::<K>(keys)?.parts(given).map_err(|error| refused(error, keys, &path))
}

fn read_of_model<K: ModelProgramKeys>(mut node: Node<'_>, given: Given, keys: &Keys) -> Result<Parts, Diagnostic> {
    let path = node.path.clone();
    let model: ModelKeys = node.split(&ModelKeys::NAMES).read(keys)?;
    node.read::<K>(keys)?.parts(&model, given).map_err(|error| refused(error, keys, &path))
}

/// The keys of a program of a transformer.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used: the keys of the shape are taken first")]
struct WithModel<K> {
    #[serde(flatten)]
    model: ModelKeys,
    #[serde(flatten)]
    program: K,
}

/// Says which key of a program at this path is wrong.
fn refused(ProgramError { key, what, help }: ProgramError, keys: &Keys, path: &str) -> Diagnostic {
    let at = join(path, key);
    match what {
        Some(what) => keys.error(&at, format!("`{at}` {what}"), help),
        None => wording::missing(keys, path, key, &[]),
    }
}
