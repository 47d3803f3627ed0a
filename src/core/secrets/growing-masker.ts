import { createMasker, type Masker } from "./masker.ts";

/** How many maskers of about one size become one. */
const FANOUT = 8;

interface Tier {
  readonly secrets: readonly string[];
  readonly masker: Masker;
}

/**
 * A masker that takes in more secrets as they turn up. Making one takes time for each of its secrets, so what comes late gets a small masker of its own,
 * and small ones are joined: each secret is taken in a few times, not once for each that follows it.
 */
export class GrowingMasker implements Masker {
  readonly #all = new Set<string>();
  #tiers: Tier[] = [];
  #fresh: string[] = [];
  #whole: Masker | undefined;

  add(secret: string): void {
    if (this.#all.has(secret)) return;
    this.#all.add(secret);
    this.#fresh.push(secret);
    this.#whole = undefined;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  get isNumeric(): boolean {
    return this.#maskers().some(({ masker }) => masker.isNumeric);
  }

  text(text: string, options?: { readonly isCut: boolean }): string {
    const tiers = this.#maskers();
    let masked = text;
    for (;;) {
      let next = masked;
      for (const { masker } of tiers) next = masker.text(next, options);
      // What is left over may read as a secret of another one again; it gets shorter each time.
      if (next === masked || tiers.length === 1) return next;
      masked = next;
    }
  }

  bytes(bytes: Uint8Array): Uint8Array | undefined {
    let masked: Uint8Array | undefined;
    for (const { masker } of this.#maskers()) masked = masker.bytes(masked ?? bytes) ?? masked;
    return masked;
  }

  /** What may go on is known only to one that knows all secrets. */
  head(text: string): { readonly masked: string; readonly rest: string } {
    this.#whole ??= createMasker(this.#all);
    return this.#whole.head(text);
  }

  #maskers(): readonly Tier[] {
    if (this.#fresh.length === 0) return this.#tiers;
    let secrets: readonly string[] = this.#fresh;
    this.#fresh = [];
    for (;;) {
      const size = sizeOf(secrets);
      const alike = this.#tiers.filter((tier) => sizeOf(tier.secrets) === size);
      if (alike.length < FANOUT - 1) break;
      this.#tiers = this.#tiers.filter((tier) => !alike.includes(tier));
      secrets = [...alike.flatMap((tier) => tier.secrets), ...secrets];
    }
    this.#tiers.push({ secrets, masker: createMasker(secrets) });
    return this.#tiers;
  }
}

function sizeOf(secrets: readonly string[]): number {
  return Math.floor(Math.log(secrets.length) / Math.log(FANOUT) + Number.EPSILON);
}
