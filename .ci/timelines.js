// Stands first in Perfetto's page: asks its trace processor for what it has read, and sends that to .ci/timelines.py.
"use strict";
(async () => {
    const pause = (time) => new Promise((done) => setTimeout(done, time));
    while (!window.app?.trace) await pause(100);
    const rows = async (query) => {
        const result = await window.app.trace.engine.query(query);
        const rows = [];
        for (const row = result.iter({}); row.valid(); row.next()) rows.push(result.columns().map((name) => String(row.get(name))));
        return rows;
    };
    const found = {
        complaints: await rows("select name, value from stats where value > 0 and severity != 'info'"),
        slices: await rows("select name, count(*), sum(dur) from slice group by name"),
        flows: await rows("select count(*) from flow"),
        counters: await rows("select count(*) from counter"),
        tracks: await rows("select count(distinct utid) from thread_track"),
    };
    fetch("/found", { method: "POST", body: JSON.stringify(found) });
})();
