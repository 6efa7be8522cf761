'use client'
import { SearchIcon } from '@primer/octicons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { useDebounced } from '@/app/_lib/use-debounced'
import { FormControl, TextInput } from './primer'
import styles from './search-box.module.css'

interface SearchBoxProps {
  label: string
  placeholder: string
  /** What the address searches for. */
  q: string
}

/** What is searched for is in the address; it follows the typing after a short pause. */
export function SearchBox({ label, placeholder, q }: SearchBoxProps): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  const [text, setText] = useState(q)
  const [shown, setShown] = useState(q)
  const settled = useDebounced(text.trim(), 250)

  // The address changed by other means, such as the button that clears the search.
  if (q !== shown) {
    setShown(q)
    if (q !== text.trim()) setText(q)
  }
  useEffect(() => {
    if (settled === q || settled !== text.trim()) return
    // Another choice, such as the order, stays; the page of the former list does not.
    const params = new URLSearchParams(search)
    params.delete('page')
    if (settled) params.set('q', settled)
    else params.delete('q')
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }, [settled, text, q, search, pathname, router])

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
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </FormControl>
    </search>
  )
}
