'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, startTransition, useEffect, useOptimistic } from 'react'
import { useFollowedText } from '@/app/_lib/use-followed-text'
import { ChoiceField, SearchField } from './choice-fields'
import styles from './form.module.css'

/** Long enough for a date too: a year that is being typed is one already. */
const pauseMs = 300

/** What is searched for is in the address. */
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
  /** What it is called in the address. */
  name: string
  value: string
  /** The first is meant when the address names none. */
  choices: readonly { value: string; label: string }[]
  /** The label is heard and not seen. */
  isLabelHidden?: boolean | undefined
}

/** A choice for a list that is in the address, so that it can be kept and shared. */
export function QuerySelect(props: QuerySelectProps): ReactNode {
  const { label, name, value, choices, isLabelHidden } = props
  const change = useAddressChange()
  // The address changes once the page for it has come.
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

/** A text that the address holds under this name; the address follows the typing after a short pause. */
export function useQueryText(name: string, value: string): [text: string, setText: (text: string) => void] {
  const change = useAddressChange()
  return useFollowedText(value, pauseMs, wanted => change(name, wanted))
}

/** The address that was asked for last, until it has come; what is chosen meanwhile is added to it. */
let underway: URLSearchParams | undefined

/** Changes one part of the address; without a text it is left out. Another choice, such as the order, stays; the page of the former list does not. */
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
