import type { MouseEvent as ReactMouseEvent } from 'react'

/** Whether a click on a link opens it here, instead of in another tab or window or as a download. */
export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent | ReactMouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey
