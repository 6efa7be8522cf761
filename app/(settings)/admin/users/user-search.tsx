'use client'
import { SearchIcon } from '@primer/octicons-react'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { FormControl, TextInput } from '@/app/_components/primer'
import { useDebounced } from '@/app/_lib/use-debounced'
import styles from './users.module.css'

/** What is searched for is in the address; it follows the typing after a short pause. */
export function UserSearch({ q }: { q: string }): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
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
    router.replace(settled ? `${pathname}?q=${encodeURIComponent(settled)}` : pathname, { scroll: false })
  }, [settled, text, q, pathname, router])

  return (
    <search className={styles.search}>
      <FormControl>
        <FormControl.Label visuallyHidden>Search users</FormControl.Label>
        <TextInput
          block
          type="search"
          leadingVisual={SearchIcon}
          placeholder="Search by name or e-mail address"
          autoComplete="off"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </FormControl>
    </search>
  )
}
