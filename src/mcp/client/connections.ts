import { grantedServer, type GrantedServers, type KnownTool } from "./granted-servers.ts";
import { connectTo, type ServerConnection } from "./server-connection.ts";

/** A server that was reached, and its tools as they are now. */
export interface Reached {
  readonly connection: ServerConnection;
  readonly tools: readonly KnownTool[];
}

/** The live connections of one run. Nothing of them is stored: another process connects anew. */
export class Connections {
  readonly #servers: GrantedServers;
  readonly #open = new Map<string, Promise<ServerConnection>>();
  /** When the last one who waits for a server has had it. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(servers: GrantedServers) {
    this.#servers = servers;
  }

  /**
   * Hands a server over once it was reached. Of a server of 2025 one caller has it at a time: it does not say for which call it asks. Throws
   * `CAPABILITY_MISSING` for a server that the host does not grant, and what connecting throws.
   */
  async with<T>(name: string, use: (reached: Reached) => Promise<T>): Promise<T> {
    const reached = await this.#reach(name);
    if (!reached.connection.asksInCalls) return use(reached);
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(async () => use(await this.#reach(name)));
    this.#turns.set(
      name,
      turn.catch(() => {}),
    );
    return turn;
  }

  /** A connection that turns out to be dead, as after the server was started anew, is made again. */
  async #reach(name: string): Promise<Reached> {
    const before = this.#open.get(name);
    try {
      return await this.#ask(name);
    } catch (error) {
      if (!before) throw error;
      this.#forget(name, before);
      return this.#ask(name);
    }
  }

  async #ask(name: string): Promise<Reached> {
    const connecting = this.#open.get(name) ?? this.#connect(name);
    try {
      const connection = await connecting;
      return { connection, tools: await connection.tools() };
    } catch (error) {
      this.#forget(name, connecting);
      throw error;
    }
  }

  #connect(name: string): Promise<ServerConnection> {
    const connecting = connectTo(grantedServer(this.#servers, name), () => this.#forget(name, connecting));
    this.#open.set(name, connecting);
    return connecting;
  }

  #forget(name: string, connecting: Promise<ServerConnection>): void {
    if (this.#open.get(name) === connecting) this.#open.delete(name);
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    // One that never connected has nothing to close.
    await Promise.allSettled(open.map(async (connecting) => (await connecting).close()));
  }
}
