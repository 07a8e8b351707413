// What the page does beyond plain HTML: the slider, and jumping from change to change.
"use strict";

const byId = (id) => document.getElementById(id);
const stage = byId("stage");
const [, , width] = stage.getAttribute("viewBox").split(" ").map(Number);

document.documentElement.classList.add("scripts");
byId("slider").checked = true;

// The page after is shown right of the edge.
function show(part) {
  const x = Math.round(width * Math.min(1, Math.max(0, part)));
  byId("cover").setAttribute("x", x);
  byId("uncover").setAttribute("width", x);
  byId("edge").setAttribute("x1", x);
  byId("edge").setAttribute("x2", x);
  byId("at").value = part * 1000;
}

function follow(event) {
  if (!byId("slider").checked || event.buttons === 0) return;
  const box = stage.getBoundingClientRect();
  show((event.clientX - box.left) / box.width);
}

byId("at").addEventListener("input", (event) => show(event.target.value / 1000));
stage.addEventListener("pointerdown", follow);
stage.addEventListener("pointermove", follow);
show(0.5);

const regions = [...stage.querySelectorAll(".new .region")];
let here = -1;

function jump(step) {
  if (regions.length === 0) return;
  regions[here]?.classList.remove("here");
  here = (here + step + regions.length) % regions.length;
  regions[here].classList.add("here");
  byId("place").textContent = `${here + 1} of ${regions.length}`;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  regions[here].scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
}

byId("next")?.addEventListener("click", () => jump(1));
byId("previous")?.addEventListener("click", () => jump(here < 0 ? 0 : -1));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") jump(1);
  if (event.key === "p") jump(here < 0 ? 0 : -1);
});
