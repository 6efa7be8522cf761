'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, startTransition, useEffect, useOptimistic } from 'react'
import { useFollowedText } from '@/app/_lib/use-followed-text'
import { ChoiceField, SearchField } from './choice-fields'
import styles from './form.module.css'

/**
 * Pause in typing before the search starts, in milliseconds. Must be long for dates, because a half-typed
 * year is already valid.
 */
const pauseMs = 300

/** Search field whose text is part of the page's URL. */
export function SearchBox({ label, q }: { label: string; q: string }): ReactNode {
  const change = useAddressChange()
  return (
    <search className={styles.search}>
      <SearchField label={label} q={q} pauseMs={pauseMs} follow={wanted => change('q', wanted)} />
    </search>
  )
}

interface QuerySelectProps {
  label: string
  /** Name of the query parameter. */
  name: string
  value: string
  /** The first option is the default without a query parameter. */
  choices: readonly { value: string; label: string }[]
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean | undefined
}

/** A `select` whose value is part of the page's URL, so that it can be bookmarked and shared. */
export function QuerySelect(props: QuerySelectProps): ReactNode {
  const { label, name, value, choices, isLabelHidden } = props
  const change = useAddressChange()
  // The URL changes only once its page has loaded.
  const [shown, show] = useOptimistic(value)
  const select = (wanted: string): void =>
    startTransition(() => {
      show(wanted)
      change(name, wanted === choices[0]?.value ? '' : wanted)
    })
  return (
    <ChoiceField
      label={label}
      isLabelHidden={isLabelHidden}
      value={shown}
      options={choices}
      onSelect={select}
    />
  )
}

/**
 * State of a text field whose text is also a query parameter. The URL is updated after a short pause in
 * typing.
 */
export function useQueryText(name: string, value: string): [text: string, setText: (text: string) => void] {
  const change = useAddressChange()
  return useFollowedText(value, pauseMs, wanted => change(name, wanted))
}

/** Query of the last navigation while it is in progress. Later changes are added to it. */
let underway: URLSearchParams | undefined

/**
 * Returns a function that changes one query parameter or, without a text, removes it. Keeps other parameters,
 * such as the sort order, but not the page.
 */
function useAddressChange(): (name: string, text: string) => void {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address has come
  useEffect(() => {
    underway = undefined
  }, [pathname, search])
  return (name, text) => {
    const params = new URLSearchParams(underway ?? search)
    for (const param of ['page', 'cursor']) params.delete(param)
    if (text) params.set(name, text)
    else params.delete(name)
    underway = params
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }
}
