/** The paths of the dashboard: all but those of the API and of the plain pages for one-time links, which the server renders. */
export const OWN_PAGES = /^\/(?!(?:v\d+|setup|invite)(?:[/?]|$))/;
