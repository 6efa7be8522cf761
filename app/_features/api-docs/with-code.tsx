import { Fragment, type ReactNode } from 'react'

/** A sentence whose words between backticks are code. */
export function withCode(sentence: string): ReactNode {
  const parts = sentence.split('`').map((text, place) => ({ text, place }))
  return parts.map(({ text, place }) =>
    // Every second part stood between two of them.
    place % 2 === 1 ? <code key={place}>{text}</code> : <Fragment key={place}>{text}</Fragment>,
  )
}
