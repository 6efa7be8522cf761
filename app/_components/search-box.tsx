'use client'
import { SearchIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { useQueryText } from '@/app/_lib/use-query-text'
import styles from './form.module.css'
import { FormControl, TextInput } from './primer'

interface SearchBoxProps {
  label: string
  placeholder: string
  /** What the address searches for. */
  q: string
}

/** What is searched for is in the address. */
export function SearchBox({ label, placeholder, q }: SearchBoxProps): ReactNode {
  const [text, setText] = useQueryText('q', q)
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
