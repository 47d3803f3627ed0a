export const fault = {
  promise: "D14",
  what: "after a failed write the next ones are written all the same",
  module: "src/core/journal/journal-writer.ts",
  changes: [{ from: "    } catch (error) {\n      this.#failure = error;\n      throw error;\n    } finally {", to: "    } finally {" }],
  foundBy: [{ file: "test/promises/failed-writes.test.ts", test: "D14" }],
};
