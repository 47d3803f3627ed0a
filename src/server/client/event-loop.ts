import { isWorkflowError } from "../../core/model/errors.ts";
import { readEvents, type ServerEvent } from "./read-events.ts";
import { beforeNext, isUnreachable, openEvents, type CallRequest, type Connection } from "./requests.ts";

/** Milliseconds before a stream that broke is opened again: the first time, and at most. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

interface EventListeners {
  /** The stream is open, for the first time or again after it broke. */
  onOpened?(isAgain: boolean): void;
  onEvent(event: ServerEvent): void;
  /** The stream broke, and could not be opened again at once. */
  onLost(error: unknown): void;
}

/** Follows a stream of events until the signal aborts or the server refuses it. Opens a broken stream again, and continues from the last event. */
export async function followEvents(
  connection: Connection,
  request: Omit<CallRequest, "isRepeatable">,
  { onOpened, onEvent, onLost }: EventListeners,
): Promise<void> {
  const { signal } = request;
  let lastId: string | undefined;
  let wasOpen = false;
  for (let pause = 0; !signal.aborted; pause = Math.min(Math.max(pause * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS)) {
    try {
      const { body } = await openEvents(connection, request, lastId);
      onOpened?.(wasOpen);
      wasOpen = true;
      for await (const event of readEvents(body)) {
        pause = 0;
        lastId = event.id ?? lastId;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (pause > 0 || !isUnreachable(error)) onLost(error);
      // It will be refused the next time, too.
      if (isWorkflowError(error) && !isUnreachable(error)) return;
    }
    await beforeNext(pause, signal);
  }
}
