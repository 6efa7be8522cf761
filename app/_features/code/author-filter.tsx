'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useId } from 'react'
import { PersonIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { commitsPath } from '@/app/_lib/paths'
import styles from './code.module.css'

interface AuthorFilterProps {
  /** Path of the list. */
  base: string
  /** The author whose commits are shown; empty for all. */
  author: string
  /** Who wrote the commits that are shown. */
  known: readonly string[]
}

/** Form that limits a list of commits to those of an author. It also works without scripts. */
export function AuthorFilter({ base, author, known }: AuthorFilterProps): ReactNode {
  const router = useRouter()
  const names = useId()
  return (
    <search>
      <form
        className={styles.authorFilter}
        action={base}
        onSubmit={event => {
          event.preventDefault()
          const wanted = String(new FormData(event.currentTarget).get('author')).trim()
          router.push(commitsPath(base, wanted))
        }}
      >
        <FormControl>
          <FormControl.Label visuallyHidden>Author</FormControl.Label>
          {/* A new key shows the author of the page when the browser goes back. */}
          <TextInput
            key={author}
            block
            name="author"
            type="search"
            leadingVisual={PersonIcon}
            placeholder="Author: username or email address"
            maxLength={254}
            autoComplete="off"
            list={names}
            defaultValue={author}
          />
        </FormControl>
        <datalist id={names}>
          {known.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit">Filter</Button>
        {author ? <ButtonLink href={base}>Clear</ButtonLink> : null}
      </form>
    </search>
  )
}
