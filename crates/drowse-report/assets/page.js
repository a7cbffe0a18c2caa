"use strict";
// Draws the charts of the page, filters cases, sorts the table. The data stand in the element `data`.
(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const drawn = [];
    let shown = new Array(data.cases).fill(true);

    // The rows of a chart as objects.
    const objects = (chart) => chart.rows.map((row) =>
        Object.fromEntries(chart.columns.map((name, index) => [name, row[index]])));

    // The rows of the cases that are shown; of charts with a bar a case, of the first ones.
    const chosen = (chart) => {
        let allowed = shown;
        let hidden = 0;
        if (chart.most_cases) {
            let left = chart.most_cases;
            allowed = shown.map((is) => is && left-- > 0);
            hidden = shown.filter((is) => is).length - allowed.filter((is) => is).length;
        }
        const note = chart.place.parentElement.querySelector(".note");
        note.hidden = hidden === 0;
        note.textContent = `The first ${chart.most_cases} cases; ${hidden} more are chosen. Filter to see others.`;
        return chart.all.filter((row) => row.n === undefined || allowed[row.n]);
    };

    const csv = (chart) => {
        const cell = (value) => {
            const plain = value === null || value === undefined ? "" : String(value);
            // Spreadsheets compute what begins as a formula, unless an apostrophe stands in front.
            const text = /^'*[=+\-@\t\r]./s.test(plain) && Number.isNaN(Number(plain)) ? `'${plain}` : plain;
            return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        };
        const lines = [chart.columns, ...chosen(chart).map((row) => chart.columns.map((name) => row[name]))];
        return lines.map((line) => line.map(cell).join(",")).join("\n") + "\n";
    };

    // Adds the data to the menu of a chart.
    const addCsv = (chart) => {
        const menu = chart.place.querySelector(".vega-actions");
        if (!menu) return;
        const link = document.createElement("a");
        link.textContent = "Save data as CSV";
        link.href = "#";
        link.download = `${chart.kind}.csv`;
        link.addEventListener("pointerdown", () => set());
        link.addEventListener("focus", () => set());
        const set = () => {
            URL.revokeObjectURL(link.href);
            link.href = URL.createObjectURL(new Blob([csv(chart)], { type: "text/csv" }));
        };
        menu.append(link);
    };

    // Charts over the same time move together: what one shows, all show.
    const together = (chart) => {
        const signal = chart.spec.usermeta.time;
        chart.view.addSignalListener(signal, (_, shown) => {
            for (const other of data.charts.filter((other) => other !== chart && other.view)) {
                if (!other.spec.usermeta || other.spec.usermeta.time !== signal) continue;
                if (JSON.stringify(other.view.signal(signal)) === JSON.stringify(shown)) continue;
                other.view.signal(signal, shown).runAsync();
            }
        });
    };

    // On a phone, long labels take two lines, and legends one column.
    const narrow = (spec, wide) => {
        spec.config.legend.columns = 1;
        spec.config.legend.labelLimit = wide - 60;
        spec.config.axisX = { tickCount: 4 };
        if (!spec.height.step || spec.height.step < 20) return;
        spec.height.step = 32;
        spec.config.axisY = { labelLimit: 140, labelFontSize: 11 };
        spec.encoding.y.axis = { labelExpr: "split(replace(datum.label, regexp('^(.{9,}?)(, | · )'), '$1\\n'), '\\n')" };
    };

    // Colours of a figure: of the scale from dark to bright, without the end that cannot be seen on this ground.
    const ramp = () => isDark() ? data.ramp.slice(3) : data.ramp.slice(0, -1);

    // Prepares a chart: its data as objects, its size.
    const prepare = (chart) => {
        chart.place = document.querySelector(`[data-chart="${chart.kind}"]`);
        chart.all = objects(chart);
        chart.rows = null;
        const spec = chart.spec;
        const wide = chart.place.clientWidth;
        if (spec.usermeta && spec.usermeta.aspect) {
            const width = Math.min(wide, spec.usermeta.widest || wide);
            spec.height = Math.max(200, Math.round(width * spec.usermeta.aspect));
            if (width < wide) spec.width = width - 90;
        }
        if (wide < 480) narrow(spec, wide);
        chart.has_ramp = JSON.stringify(spec).includes("gradientLength");
    };

    const draw = async (chart) => {
        const spec = chart.spec;
        spec.config.range.ramp = spec.config.range.heatmap = ramp();
        const options = {
            renderer: "svg",
            logLevel: vega.Error,
            tooltip: { theme: "custom" },
            downloadFileName: chart.kind,
            actions: { export: true, source: true, compiled: false, editor: false },
            i18n: { CLICK_TO_VIEW_ACTIONS: "Save or view", SVG_ACTION: "Save as SVG", PNG_ACTION: "Save as PNG", SOURCE_ACTION: "View specification (Vega-Lite)" },
            scaleFactor: { svg: 1, png: 2 },
        };
        try {
            const result = await vegaEmbed(chart.place, { ...spec, datasets: { [chart.kind]: chosen(chart) } }, options);
            chart.view = result.view;
            if (chart.spec.usermeta && chart.spec.usermeta.time) together(chart);
            addCsv(chart);
        } catch (error) {
            chart.place.innerHTML = '<p class="failed">This chart cannot be drawn.</p>';
            console.error(chart.kind, error);
        }
    };

    const refresh = () => {
        for (const chart of data.charts.filter((chart) => chart.view)) {
            chart.view.change(chart.kind, vega.changeset().remove(() => true).insert(chosen(chart))).runAsync();
        }
        for (const row of document.querySelectorAll("tr[data-case]")) row.hidden = !shown[row.dataset.case];
    };

    // Filters.
    const form = document.getElementById("filters");
    const filter = () => {
        const sets = [...form.querySelectorAll("fieldset")].map((set) => [
            data.keys[set.dataset.key],
            new Set([...set.querySelectorAll("input:checked")].map((box) => Number(box.dataset.value))),
        ]);
        shown = shown.map((_, number) => sets.every(([values, wanted]) => wanted.has(values[number])));
        const count = shown.filter((is) => is).length;
        document.getElementById("count").textContent = count === data.cases ? `all ${count} cases` : `${count} of ${data.cases} cases`;
        document.getElementById("reset").hidden = count === data.cases;
        refresh();
    };
    if (form) {
        form.addEventListener("change", filter);
        form.addEventListener("submit", (event) => event.preventDefault());
        document.getElementById("reset").addEventListener("click", () => {
            form.querySelectorAll("input").forEach((box) => { box.checked = true; });
            filter();
        });
    }

    // Sorting by a column: numbers first from small to large, then the other way round.
    const heads = [...document.querySelectorAll("#comparison thead th")];
    heads.forEach((head, column) => head.addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const body = document.querySelector("#comparison tbody");
        const value = (row) => column === 0 ? Number(row.dataset.case) : Number(row.children[column].dataset.value ?? NaN);
        const rows = [...body.children].sort((a, b) => {
            const [x, y] = [value(a), value(b)];
            if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
            return descending ? y - x : x - y;
        });
        body.append(...rows);
    }));

    // Light or dark: as the system says, until the button says otherwise.
    const theme = document.getElementById("theme");
    const root = document.documentElement;
    const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const name = () => { theme.textContent = isDark() ? "light" : "dark"; };
    theme.hidden = false;
    theme.addEventListener("click", async () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        name();
        for (const chart of data.charts.filter((chart) => chart.view && chart.has_ramp)) {
            // The choices above a chart stay as they are.
            const state = chart.view.getState({ data: () => false, signals: (name) => name === "figure" || name === "shown" });
            chart.view.finalize();
            await draw(chart);
            await chart.view.setState(state).runAsync();
        }
    });
    name();

    (async () => {
        data.charts.forEach(prepare);
        for (const chart of data.charts) await draw(chart);
        if (form) filter();
        root.dataset.drawn = data.charts.filter((chart) => chart.view).length;
    })();
})();
