/** The pattern of an API key, for regular expressions that find keys in texts that must not show them. */
export const API_KEY_PATTERN = 'hl_[0-9A-Za-z]{36}';
