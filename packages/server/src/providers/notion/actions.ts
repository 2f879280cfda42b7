import { cut } from '../../domain/cut.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { ProviderAction } from '../provider.ts';
import { notionApi } from './api.ts';
import { CONTENT_MAX, pageIdOf } from './page-id.ts';

// developers.notion.com, "Append block children": at most this many in one call.
const BLOCKS_MAX = 100;

const append: ProviderAction = {
  name: 'Append to a page',
  inputs: {
    page: {
      type: 'string',
      description: "ID or URL of the page. Default: the integration's channel.",
      required: false,
    },
    text: { type: 'text', description: 'Text to append: a paragraph for each line.', required: true },
  },
  outputs: ['page'],
  async run({ credentials, config }, { page = '', text = '' }, { tools }) {
    const id = pageIdOf(page.trim() || (config.channel ?? ''));
    if (id === undefined) return { ok: false, error: "input.page must be a page's URL or ID" };
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    const { status, message } = await notionApi(credentials, tools).call(
      'PATCH',
      `/v1/blocks/${id}/children`,
      {
        children: lines.slice(0, BLOCKS_MAX).map((line) => ({
          object: 'block',
          type: 'paragraph',
          paragraph: { rich_text: [{ type: 'text', text: { content: cut(line, CONTENT_MAX) } }] },
        })),
      },
    );
    // 409 means that two writes collided: the next attempt works.
    if (status === 409) throw new ProviderUnavailable("Notion's API responded with 409");
    if (status !== 200) {
      const error = `Notion responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`;
      return { ok: false, error, ...(status === 401 ? { refused: 'credentials' } : {}) };
    }
    return { ok: true, output: { page: id } };
  },
};

/** Actions of automations in Notion. */
export const notionActions = { 'notion.append': append };
