'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDebounced } from './use-debounced'

/** A typed text and the known state of its copy in the URL. */
export interface FollowedText {
  text: string
  /** Value in the URL when it was last read. */
  value: string
  /** Values that the URL was requested to change to since then, oldest first. */
  sent: readonly string[]
}

/**
 * Returns the state after the URL has changed to a value. A value that was sent from here only confirms the
 * request, possibly while typing continues. Any other value replaces the typed text.
 */
export function afterAddress(state: FollowedText, value: string): FollowedText {
  const index = state.sent.indexOf(value)
  if (index >= 0) return { ...state, value, sent: state.sent.slice(index + 1) }
  return { text: value === state.text.trim() ? state.text : value, value, sent: [] }
}

/**
 * Returns the state after the URL was requested to change to a value. The text may have changed since it was
 * rendered.
 */
export function afterSending(state: FollowedText, wanted: string): FollowedText {
  return { ...state, sent: [...state.sent, wanted] }
}

/**
 * State of a text that is also in the URL as `value`. After a pause in typing, `follow` changes the URL. If
 * the URL changes by other means, such as a button that shows all, its value replaces the typed text.
 */
export function useFollowedText(
  value: string,
  pauseMs: number,
  follow: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [state, setState] = useState<FollowedText>({ text: value, value, sent: [] })
  if (value !== state.value) setState(afterAddress(state, value))
  const { text, sent } = state
  const settled = useDebounced(text.trim(), pauseMs)
  const send = useEffectEvent((wanted: string) => {
    if (wanted !== text.trim() || wanted === (sent.at(-1) ?? state.value)) return
    setState(state => afterSending(state, wanted))
    follow(wanted)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing back to what was settled must be followed too
  useEffect(() => send(settled), [settled, text])
  return [text, text => setState(state => ({ ...state, text }))]
}
