// --- Tokens (SPEC CONN-9, CONN-10) -----------------------------------------------------------------------------------

/** A token is renewed this long before its end, or after three quarters of its life if that is later; milliseconds. */
const TOKEN_LEAD = 60000;
/** Milliseconds between two calls of a token provider: a server admits one new token in ten seconds. The second near the end. */
const TOKEN_PAUSE = 10000, TOKEN_RETRY = 500;
/**
 * Milliseconds that a JSON Web Token still holds; undefined if it names no end, or is no such token. Where it has ended by this
 * machine's clock, that clock is probably wrong, and the token's whole life is the answer.
 */
export function tokenLifetime(token, now) {
  try {
    const [, body, , ...more] = token.split(".");
    const { exp, iat } = JSON.parse(atob(body.replace(/-/g, "+").replace(/_/g, "/")));
    if (more.length > 0 || typeof exp !== "number" || Math.abs(exp) >= 1e12) return undefined;
    return exp * 1000 > now ? exp * 1000 - now : Math.max(0, (exp - (typeof iat === "number" ? iat : exp)) * 1000);
  } catch {
    return undefined;
  }
}

/** When a token provider is called again while a connection is open. It has no clock: `now` is milliseconds since 1970. */
export class Renewal {
  /** A token is in use from now on. */
  began(token, now) {
    const left = tokenLifetime(token, now);
    this.end = now + left;
    this.due = left === undefined ? undefined : now + Math.max(left > 0 ? TOKEN_RETRY : TOKEN_PAUSE, left - Math.min(TOKEN_LEAD, left / 4));
  }

  /** The provider failed, or gave the token that is in use: asks again sooner the nearer the end is. */
  failed(now) { this.due = now + (this.end > now ? Math.max(TOKEN_RETRY, (this.end - now) / 4) : TOKEN_PAUSE); }
}
