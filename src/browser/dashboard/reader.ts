/** How long to wait between two readings, in milliseconds: a run may change many times in a second. */
const BETWEEN_MS = 500;

/** Something about a run that its view leaves out, read again as the run changes. */
export interface Reader<T> {
  /** What was read last. */
  readonly value: T | undefined;
  /** Reads again unless that was done for this state. */
  look(state: unknown): void;
  end(): void;
}

interface ReaderOptions<T> {
  read(): Promise<T>;
  onRead(): void;
  /** Does what may throw, and tells what it threw. */
  attempt(act: () => Promise<void>): void;
}

/** Reads one at a time, and once more at the end where the state changed meanwhile. */
export function createReader<T>({ read, onRead, attempt }: ReaderOptions<T>): Reader<T> {
  let value: T | undefined;
  let wanted: unknown;
  let known: unknown;
  let isReading = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  function next(): void {
    if (isReading || isOver || pause !== undefined || wanted === known) return;
    isReading = true;
    known = wanted;
    attempt(async () => {
      try {
        value = await read();
      } finally {
        isReading = false;
        pause = setTimeout(() => {
          pause = undefined;
          next();
        }, BETWEEN_MS);
      }
      if (!isOver) onRead();
    });
  }

  return {
    get value() {
      return value;
    },
    look(state) {
      wanted = state;
      next();
    },
    end() {
      isOver = true;
      clearTimeout(pause);
    },
  };
}
