import { bitbucket } from './bitbucket.ts';
import { circleci } from './circleci.ts';
import { datadog } from './datadog.ts';
import { gitea } from './gitea.ts';
import { grafana } from './grafana.ts';
import { netlify } from './netlify.ts';
import { pagerduty } from './pagerduty.ts';
import type { Preset } from './preset.ts';
import { sentry } from './sentry.ts';
import { shopify } from './shopify.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { stripe } from './stripe.ts';
import { vercel } from './vercel.ts';

/** Definitions of well-known tools, by key, in the order in which they are listed. */
export const presets: ReadonlyMap<string, Preset> = new Map(
  [
    bitbucket,
    circleci,
    datadog,
    gitea,
    grafana,
    netlify,
    pagerduty,
    sentry,
    shopify,
    stripe,
    vercel,
    standardWebhooks,
  ].map((preset) => [preset.definition.provider, preset]),
);
