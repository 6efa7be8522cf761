'use client'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { SearchIcon } from '@/app/_components/icons'
import type { Option } from '@/app/_lib/list-choice'
import { useFollowedText } from '@/app/_lib/use-followed-text'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { FormControl, Select, TextInput } from './primer'

interface SearchFieldProps {
  /** Label of the field, which is also its placeholder. */
  label: string
  /** Search text in the page's URL. */
  q: string
  /** Pause in typing before the search starts, in milliseconds. */
  pauseMs: number
  follow: (q: string) => void
}

/** Field for the search text of a list. */
export function SearchField({ label, q, pauseMs, follow }: SearchFieldProps): ReactNode {
  const [text, setText] = useFollowedText(q, pauseMs, follow)
  const hydrated = useHydrated()
  const clearOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || text === '') return
    event.preventDefault()
    setText('')
  }
  return (
    <FormControl>
      <FormControl.Label visuallyHidden>{label}</FormControl.Label>
      <TextInput
        block
        type="search"
        leadingVisual={SearchIcon}
        placeholder={label}
        autoComplete="off"
        maxLength={100}
        readOnly={!hydrated}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={clearOnEscape}
      />
    </FormControl>
  )
}

interface ChoiceFieldProps {
  label: string
  /** Shows the label to screen readers only, for options whose meaning is clear without it. */
  isLabelHidden?: boolean | undefined
  value: string
  options: readonly Option[]
  onSelect: (value: string) => void
}

/** Ref for a `select` rendered by the server. Also reports an option selected before hydration. */
export function useEarlyChoice(
  value: string,
  onSelect: (value: string) => void,
): RefObject<HTMLSelectElement | null> {
  const select = useRef<HTMLSelectElement>(null)
  const look = useEffectEvent(() => {
    const selected = select.current?.value
    if (selected !== undefined && selected !== value) onSelect(selected)
  })
  useEffect(() => look(), [])
  return select
}

/** Labeled `select`, for example for a list's sort order. */
export function ChoiceField({
  label,
  isLabelHidden = false,
  value,
  options,
  onSelect,
}: ChoiceFieldProps): ReactNode {
  const select = useEarlyChoice(value, onSelect)
  return (
    <FormControl>
      <FormControl.Label visuallyHidden={isLabelHidden}>{label}</FormControl.Label>
      <Select ref={select} block value={value} onChange={event => onSelect(event.target.value)}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </FormControl>
  )
}
