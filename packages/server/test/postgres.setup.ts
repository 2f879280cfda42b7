import { inject } from 'vitest';

// From here on `startTestServer` gives every server its own database on this PostgreSQL.
process.env['HUBLINE_TEST_DATABASE_URL'] = inject('postgresUrl');
process.env['HUBLINE_TEST_DATABASE_TEMPLATE'] = inject('postgresTemplate');
