/** Resolves with the result of a request. */
function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

/** A database with one object store, used as directly as the platform allows. */
export async function openDatabase(name) {
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore("records"));
  const database = await resultOf(request);
  return {
    /** Puts the values under their keys in one transaction; resolves when it is complete. */
    put(values, keys, durability) {
      const transaction = database.transaction("records", "readwrite", { durability });
      const records = transaction.objectStore("records");
      values.forEach((value, index) => records.put(value, keys[index]));
      return new Promise((resolve, reject) => {
        transaction.addEventListener("complete", () => resolve());
        transaction.addEventListener("abort", () => reject(transaction.error));
      });
    },
    async close() {
      database.close();
      await deleteDatabase(name);
    },
  };
}

export function deleteDatabase(name) {
  return resultOf(indexedDB.deleteDatabase(name));
}

/** Bytes of all records of a database, or of some object stores, keys and values as JSON; what the engine of the browser adds is not seen. */
export async function recordBytes(name, stores) {
  const database = await resultOf(indexedDB.open(name));
  let bytes = 0;
  for (const store of stores ?? database.objectStoreNames) {
    const records = database.transaction(store).objectStore(store);
    const [keys, values] = await Promise.all([resultOf(records.getAllKeys()), resultOf(records.getAll())]);
    keys.forEach((key, index) => (bytes += JSON.stringify([key, values[index]]).length));
  }
  database.close();
  return bytes;
}

/** Characters of all values, as JSON, that the database hands out while `action` runs. */
export async function bytesReadBy(action) {
  let bytes = 0;
  const originals = [];
  for (const prototype of [IDBObjectStore.prototype, IDBIndex.prototype]) {
    for (const method of ["get", "getAll", "openCursor"]) {
      const original = prototype[method];
      originals.push(() => (prototype[method] = original));
      prototype[method] = function (...args) {
        const request = original.apply(this, args);
        request.addEventListener("success", () => {
          const { result } = request;
          bytes += JSON.stringify((result instanceof IDBCursor ? result.value : result) ?? null).length;
        });
        return request;
      };
    }
  }
  await action();
  for (const restore of originals) restore();
  return bytes;
}
