import type { RenderedTemplate } from '@hubline/sdk';
import { Logo } from '../../components/icons/logo.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Drawn } from './drawn.tsx';

/** The forms of a text, by their names in the API. */
export const FORMS = {
  text: 'Text',
  markdown: 'Markdown',
  html: 'Email',
  slack_blocks: 'Slack',
  discord_embeds: 'Discord',
  adaptive_card: 'Teams',
} as const;

/** A rendered template in each of its forms, roughly as recipients see it. */
export function Forms({ rendered }: { rendered: RenderedTemplate }) {
  return (
    <>
      {Object.entries(FORMS).map(([form, label]) => {
        const filled = rendered[form as keyof typeof FORMS];
        if (filled === null || filled === '') return null;
        const isText = typeof filled === 'string';
        return (
          <section class="pv" key={form} aria-label={label}>
            <div class="pv-bar">
              {label}
              {isText && <span class="end num">{filled.length} characters</span>}
            </div>
            <div class="msg">
              <span class="ava">
                <Logo />
              </span>
              <div>
                <p class="who">{isText ? <Foreign text={rendered.subject} /> : 'Hubline'}</p>
                {isText ? (
                  <p class="pre">
                    <Foreign text={filled} />
                  </p>
                ) : (
                  <Drawn part={filled} />
                )}
              </div>
            </div>
          </section>
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
