// @ts-check
// What a page of the documents does beyond being read: search, copying, scrolling by keyboard. All of it works without this file, but for the search.
import { search } from "./search.js";

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const root = document.body.dataset.root ?? "";

makeScrollable();
const here = document.querySelector(".tree [aria-current]");
here?.scrollIntoView({ block: "nearest" });
// Over the page it is laid out only once it is open, and has the sections of this page below.
element("tree")?.addEventListener("toggle", () => here?.scrollIntoView({ block: "center" }));
addCopyButtons();
offerThemes();
groupTabs();
offerSamples();
if (document.querySelector(".search")) offerSearch();
// A section of this page that was chosen in the tree is below it.
element("tree")?.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest(".sections a")) element("tree").hidePopover();
});

/** What is wider than the page can be scrolled by keyboard too. It is looked at once it is laid out, which boxes out of sight may not be. */
function makeScrollable() {
  const observer = new ResizeObserver((entries) => {
    const wide = entries.filter(({ target }) => target.scrollWidth > target.clientWidth);
    for (const { target } of entries) target.removeAttribute("tabindex");
    for (const { target } of wide) target.setAttribute("tabindex", "0");
  });
  for (const box of document.querySelectorAll("pre, .table, article p:has(> img)")) observer.observe(box);
}

function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll("article > pre, .tab > pre, .live > pre")) {
    const box = document.createElement("div");
    box.className = "code-box";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent ?? "").then(
        () => (button.textContent = "Copied"),
        () => (button.textContent = "Not copied"),
      );
      button.addEventListener("blur", () => (button.textContent = "Copy"), { once: true });
    });
    code.replaceWith(box);
    box.append(code, button);
  }
}

function offerSearch() {
  const box = /** @type {HTMLElement} */ (document.querySelector(".search"));
  const query = /** @type {HTMLInputElement} */ (element("query"));
  const found = element("found");
  const count = element("found-count");
  /** @type {Promise<any> | undefined} */
  let index;
  box.hidden = false;

  const load = () => {
    index ??= fetch(`${root}search.json`).then((response) => response.json());
    // After a lost connection the next try asks again.
    index.catch(() => (index = undefined));
    return index;
  };
  const close = () => {
    found.hidden = true;
    count.textContent = "";
  };
  const show = async () => {
    const asked = query.value;
    if (asked.trim() === "") return close();
    const results = await load().then(
      (loaded) => search(loaded, asked),
      () => undefined,
    );
    if (query.value !== asked) return;
    found.replaceChildren(results?.length ? listOf(results) : noteOf(results ? "Nothing found." : "The search needs a connection."));
    found.hidden = false;
    count.textContent = results?.length ? `${results.length} ${results.length === 1 ? "result" : "results"}` : (found.textContent ?? "");
  };

  query.addEventListener("focus", () => void load().catch(() => {}), { once: true });
  query.addEventListener("input", () => void show());
  query.addEventListener("focus", () => query.value !== "" && void show());
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) close();
  });
  box.addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")];
    const at = links.findIndex((link) => link === document.activeElement);
    if (event.key === "Escape" && !found.hidden) {
      event.preventDefault();
      query.focus();
      close();
    } else if (event.key === "ArrowDown" && links.length > 0) {
      event.preventDefault();
      links[Math.min(at + 1, links.length - 1)]?.focus();
    } else if (event.key === "ArrowUp" && at >= 0) {
      event.preventDefault();
      (links[at - 1] ?? query).focus();
    } else if (event.key === "Enter" && event.target === query) {
      event.preventDefault();
      links[0]?.click();
    }
  });
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    query.focus();
    query.select();
  });
}

/** @param {readonly import("./search.js").Found[]} results */
function listOf(results) {
  const list = document.createElement("ul");
  for (const { address, title, page, beginning } of results) {
    const link = document.createElement("a");
    link.href = root + address;
    link.append(line("b", title), line("small", page === title ? beginning : `${page}: ${beginning}`));
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  return list;
}

/** @param {string} text */
function noteOf(text) {
  return line("p", text);
}

/**
 * @param {string} name
 * @param {string} text
 */
function line(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** The switch between light and dark; what the system says is not kept, so that it goes on deciding. */
function offerThemes() {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector(".theme"));
  const page = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (page.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const label = () => button.setAttribute("aria-label", isDark() ? "Light theme" : "Dark theme");
  button.addEventListener("click", () => {
    const wanted = isDark() ? "light" : "dark";
    const isOwn = wanted !== (system.matches ? "dark" : "light");
    if (isOwn) page.dataset.theme = wanted;
    else delete page.dataset.theme;
    remember("wavepoint-demo:theme", isOwn ? wanted : undefined);
    label();
  });
  system.addEventListener("change", label);
  label();
  button.hidden = false;
}

/** Samples for several frameworks that follow each other become tabs. All groups of all pages show the framework that was chosen last. */
function groupTabs() {
  const KEY = "wavepoint-docs:tab";
  /** @type {((name: string) => void)[]} */
  const groups = [];
  for (const first of document.querySelectorAll(".tab:not(.tab + .tab)")) {
    const panels = [first];
    for (let next = first.nextElementSibling; next?.matches(".tab"); next = next.nextElementSibling) panels.push(next);
    const list = document.createElement("div");
    list.className = "tabs";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Framework");
    const tabs = panels.map((panel, i) => {
      const tab = document.createElement("button");
      panel.id ||= `panel-${groups.length}-${i}`;
      panel.setAttribute("role", "tabpanel");
      panel.querySelector("p")?.remove();
      const name = panel.getAttribute("data-tab") ?? "";
      panel.setAttribute("aria-label", name);
      Object.assign(tab, { type: "button", textContent: name });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", panel.id);
      tab.addEventListener("click", () => choose(name));
      return tab;
    });
    list.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      const at = tabs.findIndex((tab) => tab === document.activeElement);
      const next = step === 0 ? undefined : tabs[(at + step + tabs.length) % tabs.length];
      next?.click();
      next?.focus();
    });
    list.append(...tabs);
    first.before(list);
    groups.push((name) => {
      const chosen = Math.max(
        0,
        tabs.findIndex(({ textContent }) => textContent === name),
      );
      tabs.forEach((tab, i) => {
        tab.setAttribute("aria-selected", String(i === chosen));
        tab.tabIndex = i === chosen ? 0 : -1;
        /** @type {HTMLElement} */ (panels[i]).hidden = i !== chosen;
      });
    });
  }
  for (const show of groups) show(recall(KEY) ?? "");

  /** @param {string} name */
  function choose(name) {
    remember(KEY, name);
    for (const show of groups) show(name);
  }
}

/** Workflows that run on the page. The engine is loaded when the first of them is started; one that was started goes on after a reload. */
function offerSamples() {
  document.querySelectorAll(".live").forEach((box, i) => {
    const KEY = `wavepoint-docs:live:${location.pathname}:${i}`;
    const text = box.querySelector("pre")?.textContent ?? "";
    const stage = document.createElement("div");
    stage.className = "stage";
    stage.setAttribute("aria-live", "polite");
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "try", textContent: "Run it here" });
    const open = async () => {
      button.disabled = true;
      try {
        const { runSample } = await import(new URL("live/live.js", import.meta.url).href);
        await runSample(stage, text);
        remember(KEY, "started");
        button.remove();
      } catch (error) {
        stage.textContent = `It cannot run: ${error instanceof Error ? error.message : String(error)}`;
        button.disabled = false;
      }
    };
    button.addEventListener("click", () => void open());
    box.append(button, stage);
    if (recall(KEY) !== undefined) void open();
  });
}

/**
 * @param {string} key
 * @param {string | undefined} value
 */
function remember(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing for this page: it holds until the page is left.
  }
}

/** @param {string} key */
function recall(key) {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
