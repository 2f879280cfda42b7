/** What tests look at in answers. */
interface BrowserJson {
  error: { code: string; message: string; details: { field: string }[] };
  memberships: unknown[];
  data: unknown[];
  slug: string;
}

/** A browser as far as HTTP goes: it keeps cookies, and says which site a request comes from. */
export class Browser {
  readonly url: string;
  cookie: string | null = null;
  /** `Set-Cookie` of the last answer that had one. */
  setCookie = '';

  constructor(url: string) {
    this.url = url;
  }

  /** A request of a page of the server itself; `headers` replace what such a page would send, and `null` leaves out. */
  async request(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string | null> } = {},
  ): Promise<{ status: number; json: BrowserJson; headers: Headers }> {
    const all: Record<string, string | null> = {
      'X-Hubline-Dashboard': '1',
      'Sec-Fetch-Site': 'same-origin',
      Cookie: this.cookie,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.get('set-cookie');
    if (set !== null) {
      this.setCookie = set;
      const [pair = ''] = set.split(';');
      this.cookie = /Max-Age=0/.test(set) ? null : pair;
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: JSON.parse(text === '' ? '{}' : text) as BrowserJson,
    };
  }

  logIn(email: string, password: string, headers: Record<string, string | null> = {}) {
    return this.request('POST', '/session', { body: { email, password }, headers });
  }
}
