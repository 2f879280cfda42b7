#!/usr/bin/env node
require('@hubline/cli/dist/bin.cjs');
