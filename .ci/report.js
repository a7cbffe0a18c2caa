// Tests a page from within: stands first in its head, and writes what it finds into an element `tested`.
"use strict";
const errors = [];
window.addEventListener("error", (event) => errors.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
const shown = () => [...document.querySelectorAll("tr[data-case]")].filter((row) => !row.hidden).length;
const marks = () => Object.fromEntries([...document.querySelectorAll("[data-chart]")].map((place) => [
    place.dataset.chart,
    [...place.querySelectorAll(".role-mark path, .role-mark line")].filter((mark) => mark.getBBox().width + mark.getBBox().height > 0).length,
]));
const paper = () => getComputedStyle(document.querySelector(".card")).backgroundColor;
const ink = () => getComputedStyle(document.querySelector(".role-axis-label text")).fill;
const pause = (time) => new Promise((done) => setTimeout(done, time));
const test = async () => {
    while (document.documentElement.dataset.drawn === undefined) await pause(50);
    const found = { drawn: Number(document.documentElement.dataset.drawn), marks: marks(), shown: shown() };
    found.scrolls = document.documentElement.scrollWidth > window.innerWidth;
    const box = document.querySelector("#filters input");
    if (box) {
        box.click();
        await pause(500);
        found.filtered = { shown: shown(), marks: marks(), count: document.getElementById("count").textContent };
        document.getElementById("reset").click();
        await pause(500);
        found.again = { shown: shown(), marks: marks() };
    }
    const [first, second] = [0, 0].map(() => {
        document.querySelector("#comparison thead th:nth-child(2)").click();
        return [...document.querySelectorAll("#comparison tbody tr")].map((row) => Number(row.children[1].dataset.value));
    });
    found.sorted = [first, second];
    const before = [paper(), ink()];
    document.getElementById("theme").click();
    found.themes = [before, [paper(), ink()]];
    found.actions = [...document.querySelectorAll("[data-chart] .vega-actions")].map((menu) => menu.children.length);
    found.errors = errors;
    const element = document.createElement("pre");
    element.id = "tested";
    element.textContent = JSON.stringify(found);
    document.body.append(element);
};
addEventListener("DOMContentLoaded", test);
