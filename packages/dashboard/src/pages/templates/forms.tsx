import type { RenderedTemplate } from '@hubline/sdk';
import { Logo } from '../../components/icons/logo.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { JsonViewer } from '../../components/text/json-viewer.tsx';

/** The forms of a text, by their names in the API. */
export const FORMS = {
  text: 'Text',
  markdown: 'Markdown',
  html: 'Email',
  slack_blocks: 'Slack',
  discord_embeds: 'Discord',
  adaptive_card: 'Teams',
} as const;

/** A filled template in each of its forms, as receivers get them. */
export function Forms({ rendered }: { rendered: RenderedTemplate }) {
  return (
    <>
      {Object.entries(FORMS).map(([form, label]) => {
        const filled = rendered[form as keyof typeof FORMS];
        if (filled === null || filled === '') return null;
        return typeof filled === 'string' ? (
          <section class="pv" key={form} aria-label={label}>
            <div class="pv-bar">
              {label}
              <span class="end num">{filled.length} characters</span>
            </div>
            <div class="msg">
              <span class="ava">
                <Logo />
              </span>
              <div>
                <p class="who">
                  <Foreign text={rendered.subject} />
                </p>
                <p class="pre">
                  <Foreign text={filled} />
                </p>
              </div>
            </div>
          </section>
        ) : (
          <JsonViewer key={form} text={JSON.stringify(filled)} label={label} />
        );
      })}
      {rendered.problems.map(({ field, issue }) => (
        <p class="bad-t small" key={field}>
          {field} {issue}
        </p>
      ))}
    </>
  );
}
