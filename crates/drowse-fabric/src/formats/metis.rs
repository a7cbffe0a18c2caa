//! METIS graphs, as programs for partitioning and mapping (METIS, KaHIP, Scotch's `gcv`) exchange them (METIS manual,
//! section 4.1): the numbers of vertices and edges, then a line for each vertex with its neighbours, counted from 1.
//! Weights are not read: such a file has a third number in its first line.

use std::collections::HashSet;

use super::words;
use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};
use crate::recognise::text::{Text, words as words_of};

fn is_said(line: &str) -> bool {
    !line.starts_with(['%', '#'])
}

/// Each edge stands twice, once with each of its vertices, and there are as many as the first line says.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let mut lines = text.whole.lines().filter(|line| is_said(line)).map(words_of);
    let Some([vertices, edges]) = lines.next().and_then(|head| <[&str; 2]>::try_from(head).ok()) else { return false };
    let (Ok(vertices), Ok(edges)) = (vertices.parse::<usize>(), edges.parse::<usize>()) else { return false };
    let mut pairs = HashSet::new();
    for (vertex, neighbours) in (1..).zip(lines) {
        for neighbour in neighbours {
            let Some(neighbour) = neighbour.parse().ok().filter(|&to| vertex <= vertices && to <= vertices) else {
                return false;
            };
            pairs.insert((vertex, neighbour));
        }
    }
    edges > 0
        && Some(pairs.len()) == edges.checked_mul(2)
        && pairs.iter().all(|&(from, to)| pairs.contains(&(to, from)))
}

/// Reads a graph: each vertex is a switch that its number names.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut vertices = Vertices::default();
    let mut lines = words::lines(text).filter(|(line, _)| is_said(line));
    let (head, head_span) = lines.next().unwrap_or_default();
    let count = words::of(head, head_span.start).next().and_then(|(word, _)| word.parse().ok()).unwrap_or(0);
    let lines: Vec<_> = (1..=count).zip(lines).collect();
    if lines.len() < count {
        let message = format!("there are {count} vertices, and lines of {} of them", lines.len());
        let place = head_span.start..head_span.start + head.trim_end().len();
        return Err(Wrong::new(&place, message, "write a line for each vertex, an empty one where it has no edge"));
    }
    for (vertex, (_, span)) in &lines {
        vertices.named(&(&vertex.to_string(), span.clone()));
    }
    for (vertex, (line, span)) in lines {
        for (word, place) in words::of(line, span.start) {
            // Numbers count from 1, and the line of the other vertex has the same edge.
            match word.parse::<usize>() {
                Ok(to) if to == vertex => {
                    let message = format!("`{}` is its own neighbour", shown(word));
                    return Err(Wrong::new(&place, message, "a link joins two different vertices: remove it"));
                }
                Ok(to) if to > vertex => {
                    vertices.link([vertex - 1, to - 1], &place, Links::written(1, None, None, &place))?;
                }
                _ => {}
            }
        }
    }
    Ok(vertices)
}
