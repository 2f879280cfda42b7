/** The parts of a response that tests look at. */
interface BrowserJson {
  error: { code: string; message: string; details: { field: string }[] };
  user: { id: string; email: string };
  memberships: { role: string }[];
  version: string;
  data: unknown[];
  slug: string;
  key: string;
}

/** A browser as far as HTTP goes: it keeps cookies and says which site a request comes from. */
export class Browser {
  readonly url: string;
  readonly own: Record<string, string>;
  cookie: string | null = null;
  /** `Set-Cookie` of the last response that had one. */
  setCookie = '';

  /** Sends `own` headers with every request, such as the address that a proxy has seen. */
  constructor(url: string, own: Record<string, string> = {}) {
    this.url = url;
    this.own = own;
  }

  /** Sends a request as a page of the server. `headers` replace those of such a page; `null` leaves one out. */
  async request(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string | null> } = {},
  ): Promise<{ status: number; json: BrowserJson; headers: Headers }> {
    const all: Record<string, string | null> = {
      'X-Hubline-Dashboard': '1',
      'Sec-Fetch-Site': 'same-origin',
      Cookie: this.cookie,
      ...this.own,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#keepCookie(response);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: JSON.parse(text === '' ? '{}' : text) as BrowserJson,
    };
  }

  /** Opens one of the server's own pages, or sends its form. */
  async page(
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = { 'Sec-Fetch-Site': fields ? 'same-origin' : 'none' },
  ): Promise<{ status: number; html: string }> {
    const response = await fetch(`${this.url}${path}`, {
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      headers: { ...this.own, ...headers, ...(this.cookie !== null && { Cookie: this.cookie }) },
    });
    this.#keepCookie(response);
    return { status: response.status, html: await response.text() };
  }

  #keepCookie({ headers }: Response): void {
    const set = headers.get('set-cookie');
    if (set === null) return;
    this.setCookie = set;
    const [pair = ''] = set.split(';');
    this.cookie = /Max-Age=0/.test(set) ? null : pair;
  }

  logIn(email: string, password: string, headers: Record<string, string | null> = {}) {
    return this.request('POST', '/session', { body: { email, password }, headers });
  }
}
