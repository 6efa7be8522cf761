'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDebounced } from './use-debounced'

/** A text that is typed, and what the address has of it. */
export interface FollowedText {
  text: string
  /** What the address held when it was last looked at. */
  value: string
  /** What the address was asked to hold since, oldest first. */
  sent: readonly string[]
}

/**
 * Returns the state after the address has changed to a value. One that was sent from here only comes back, maybe while
 * somebody types on; any other replaces what is typed.
 */
export function afterAddress(state: FollowedText, value: string): FollowedText {
  const index = state.sent.indexOf(value)
  if (index >= 0) return { ...state, value, sent: state.sent.slice(index + 1) }
  return { text: value === state.text.trim() ? state.text : value, value, sent: [] }
}

/** Returns the state after the address was asked to hold a value. The text may have changed since that was rendered. */
export function afterSending(state: FollowedText, wanted: string): FollowedText {
  return { ...state, sent: [...state.sent, wanted] }
}

/**
 * A text that the address holds as `value`. It follows the typing once that has paused, by `follow`; changed by other
 * means, such as the button that shows all, it replaces what is typed.
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
