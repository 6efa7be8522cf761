'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { TextField } from '@/app/_components/fields'
import { CheckIcon, XIcon } from '@/app/_components/icons'
import styles from './branch-filter-field.module.css'

const examples = ['main', 'release/1.2', 'feature/login'].map(short => ({
  short,
  full: `refs/heads/${short}`,
}))
const tag = { short: 'v1.0', full: 'refs/tags/v1.0' }

type BranchFilterFieldProps = Omit<Parameters<typeof TextField>[0], 'caption' | 'value'> & {
  value: string
}

/** Field for a webhook's branch filter, with examples of what the filter matches. */
export function BranchFilterField({ value, error, ...input }: BranchFilterFieldProps): ReactNode {
  const filter = value.trim()
  const matcher = useMatcher(filter !== '')
  const problem = matcher?.branchFilterProblem(filter)
  return (
    <div>
      <TextField
        {...input}
        optional
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="All branches and tags"
        error={problem ? `Invalid filter: ${problem}.` : error}
        caption={
          <>
            Applies to pushes and to the creation and deletion of branches and tags. For example:{' '}
            <code>main</code>, <code>{'{main,release/*}'}</code>, or <code>refs/tags/*</code>.
          </>
        }
      />
      {matcher && problem === undefined && filter !== '' ? (
        <ul className={styles.examples} aria-label="Filter examples">
          {[...examples, tag].map(ref => (
            <Example
              key={ref.full}
              name={ref === tag ? ref.full : ref.short}
              passes={matcher.matchesBranch(filter, ref)}
            />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const loadMatcher = () => import('@/server/hooks/branch-filter')

/**
 * Loads the matcher only when needed, because most hooks have no filter. The server validates the filter
 * anyway.
 */
function useMatcher(isWanted: boolean): Awaited<ReturnType<typeof loadMatcher>> | undefined {
  const [matcher, setMatcher] = useState<Awaited<ReturnType<typeof loadMatcher>>>()
  useEffect(() => {
    if (isWanted) loadMatcher().then(setMatcher, () => undefined)
  }, [isWanted])
  return matcher
}

function Example({ name, passes }: { name: string; passes: boolean }): ReactNode {
  return (
    <li className={passes ? styles.passes : styles.stays}>
      {passes ? <CheckIcon size={12} /> : <XIcon size={12} />}
      <code>{name}</code>
      <span className="visually-hidden">{passes ? 'matches' : 'doesn’t match'}</span>
    </li>
  )
}
