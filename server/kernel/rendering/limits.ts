/** Texts with more characters are not highlighted. */
export const maxHighlightedLength = 512 * 1024

/** Texts with a line of more characters are not highlighted, because some grammars take quadratic time for it. */
export const maxLineLength = 2_000
