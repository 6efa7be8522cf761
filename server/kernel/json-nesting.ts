/**
 * Returns how deeply the lists and objects of a JSON text are nested: 0 for a text or number, 1 for `[]`. Whether the text is
 * valid does not matter.
 */
export function nestingOf(json: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (isText) {
      if (code === backslash) at++
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === listStart || code === objectStart) deepest = Math.max(deepest, ++depth)
    else if (code === listEnd || code === objectEnd) depth--
  }
  return deepest
}

const [quote, backslash, listStart, listEnd, objectStart, objectEnd] = [34, 92, 91, 93, 123, 125]
