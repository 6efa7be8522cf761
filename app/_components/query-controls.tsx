'use client'
import { SearchIcon } from '@primer/octicons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { useDebounced } from '@/app/_lib/use-debounced'
import { useHydrated } from '@/app/_lib/use-hydrated'
import styles from './form.module.css'
import { FormControl, Select, TextInput } from './primer'

interface SearchBoxProps {
  label: string
  placeholder: string
  /** What the address searches for. */
  q: string
}

/** What is searched for is in the address. */
export function SearchBox({ label, placeholder, q }: SearchBoxProps): ReactNode {
  const [text, setText] = useQueryText('q', q)
  const hydrated = useHydrated()
  return (
    <search className={styles.search}>
      <FormControl>
        <FormControl.Label visuallyHidden>{label}</FormControl.Label>
        <TextInput
          block
          type="search"
          leadingVisual={SearchIcon}
          placeholder={placeholder}
          autoComplete="off"
          readOnly={!hydrated}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </FormControl>
    </search>
  )
}

interface QuerySelectProps {
  label: string
  /** What it is called in the address. */
  name: string
  value: string
  /** The first is meant when the address names none. */
  choices: readonly { value: string; label: string }[]
  /** The label stands above it. */
  isLabeled?: boolean
}

/** A choice for a list that is in the address, so that it can be kept and shared. */
export function QuerySelect({ label, name, value, choices, isLabeled = false }: QuerySelectProps): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()

  const choose = (wanted: string): void => {
    const params = new URLSearchParams(search)
    for (const place of ['page', 'cursor']) params.delete(place)
    if (wanted === choices[0]?.value) params.delete(name)
    else params.set(name, wanted)
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }

  return (
    <FormControl>
      <FormControl.Label visuallyHidden={!isLabeled}>{label}</FormControl.Label>
      <Select block={isLabeled} value={value} onChange={event => choose(event.target.value)}>
        {choices.map(choice => (
          <Select.Option key={choice.value} value={choice.value}>
            {choice.label}
          </Select.Option>
        ))}
      </Select>
    </FormControl>
  )
}

/** A text that the address holds under this name; the address follows the typing after a short pause. */
export function useQueryText(name: string, value: string): [text: string, setText: (text: string) => void] {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // Long enough for a date too: a year that is being typed is one already.
  const settled = useDebounced(text.trim(), 300)

  // The address changed by other means, such as the button that clears the search.
  if (value !== shown) {
    setShown(value)
    if (value !== text.trim()) setText(value)
  }
  useEffect(() => {
    if (settled === value || settled !== text.trim()) return
    // Another choice, such as the order, stays; the page of the former list does not.
    const params = new URLSearchParams(search)
    for (const place of ['page', 'cursor']) params.delete(place)
    if (settled) params.set(name, settled)
    else params.delete(name)
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }, [settled, text, name, value, search, pathname, router])

  return [text, setText]
}
