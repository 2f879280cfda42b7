/** Everything but what the server answers itself: the API, and the plain pages that a one-time link leads to. */
export const OWN_PAGES = /^\/(?!(?:v\d+|setup|invite)(?:[/?]|$))/;
