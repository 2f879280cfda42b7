import { useNewHome } from './run-cli.ts';

await useNewHome();
