// @ts-check
// What a page of the documents does beyond being read: search, copying, scrolling by keyboard. All of it works without this file, but for the search.
(() => {
  const MOST_RESULTS = 12;
  /** How much less a word weighs of which only the beginning was typed. */
  const BEGINNING = 0.5;

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const root = document.body.dataset.root ?? "";

  makeScrollable();
  document.querySelector(".tree [aria-current]")?.scrollIntoView({ block: "nearest" });
  addCopyButtons();
  if (document.querySelector(".search")) offerSearch();

  /** What is wider than the page can be scrolled by keyboard too. */
  function makeScrollable() {
    const boxes = [...document.querySelectorAll("pre, .table")];
    const look = () => {
      for (const box of boxes) {
        if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
        else box.removeAttribute("tabindex");
      }
    };
    look();
    addEventListener("resize", look);
  }

  function addCopyButtons() {
    if (!navigator.clipboard) return;
    for (const code of document.querySelectorAll("article > pre")) {
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
      const words = wordsOf(query.value);
      if (words.length === 0) return close();
      const asked = query.value;
      const results = await load().then(
        (loaded) => search(loaded, words),
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

  /** @param {string} text */
  function wordsOf(text) {
    return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  }

  /**
   * Sections that have all the words, or as many of them as any section has; the fitting ones first.
   * @param {any} index
   * @param {readonly string[]} words
   */
  function search({ pages, sections, words: known }, words) {
    /** @type {Map<number, { hits: number, weight: number }>} */
    const all = new Map();
    for (const word of new Set(words)) {
      for (const [place, weight] of placesOf(word, known)) {
        const { hits, weight: before } = all.get(place) ?? { hits: 0, weight: 0 };
        all.set(place, { hits: hits + 1, weight: before + weight });
      }
    }
    let most = 0;
    for (const { hits } of all.values()) most = Math.max(most, hits);
    return [...all]
      .filter(([, { hits }]) => hits === most)
      .toSorted(([a, x], [b, y]) => y.weight - x.weight || a - b)
      .slice(0, MOST_RESULTS)
      .map(([place]) => {
        const [page, id, title, beginning] = sections[place];
        const [path, pageTitle] = pages[page];
        return { address: `${root}${path}${id === "" ? "" : `#${id}`}`, title, page: pageTitle, beginning };
      });
  }

  /**
   * Where a word stands, or a longer one that begins with it.
   * @param {string} word
   * @param {Readonly<Record<string, readonly number[]>>} known
   */
  function placesOf(word, known) {
    /** @type {Map<number, number>} */
    const places = new Map();
    for (const [candidate, packed] of Object.entries(known)) {
      if (!candidate.startsWith(word)) continue;
      let place = 0;
      for (let at = 0; at < packed.length; at += 2) {
        place += packed[at] ?? 0;
        const weight = (packed[at + 1] ?? 0) * (candidate === word ? 1 : BEGINNING);
        places.set(place, Math.max(places.get(place) ?? 0, weight));
      }
    }
    return places;
  }

  /** @param {readonly { readonly address: string, readonly title: string, readonly page: string, readonly beginning: string }[]} results */
  function listOf(results) {
    const list = document.createElement("ul");
    for (const { address, title, page, beginning } of results) {
      const link = document.createElement("a");
      link.href = address;
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
})();
