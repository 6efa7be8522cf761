// Apart from `pagination.ts`, which would bring zod to every page with a list.

/** The most rows of a list that people work with on a page, and the most that are changed at once. */
export const maxBrowsePageSize = 100
