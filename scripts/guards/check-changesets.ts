/** Validates the changesets. Otherwise a misspelled package name would be noticed only on release day. */
import { getReleasePlan } from '@changesets/get-release-plan';
import { report } from '../report.ts';
import { root, workspacePackages } from '../workspace.ts';

// Reads and validates the configuration and every changeset; throws, naming the file, when one is wrong.
const plan = await getReleasePlan(root);
// Private packages ship inside other packages, and have no version of their own.
const published = workspacePackages().filter(({ manifest }) => !manifest.private);
const versions = new Set(published.map(({ manifest }) => manifest.version));
const problems =
  versions.size > 1
    ? [`All packages are released together, but have the versions ${[...versions].join(', ')}`]
    : [];
report(problems, `${plan.changesets.length} changeset(s) for ${plan.releases.length} package(s)`);
