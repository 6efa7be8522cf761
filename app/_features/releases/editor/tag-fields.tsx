'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { CommitId } from '@/app/_components/commit-id'
import { TagIcon } from '@/app/_components/icons'
import { Picker } from '@/app/_components/picker'
import { FormControl, Select } from '@/app/_components/primer'
import { tagSearchQuery } from '@/app/_features/releases/queries'
import type { RepoPath } from '@/app/_lib/paths'
import { useDebounced } from '@/app/_lib/use-debounced'
import { isolated } from '@/app/_lib/visible-text'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import styles from './editor.module.css'
import type { ReleaseValues } from './release-values'

interface TagFieldsProps {
  path: RepoPath
  form: UseFormReturn<ReleaseValues>
  branches: readonly string[]
  defaultBranch: string
  /** Whether the release is published, so that its tag can no longer change. */
  isFixed: boolean
  onLeave: () => void
  /** Called with the tag that publishing would create; empty if the tag already exists. */
  onNewTag: (name: string) => void
}

/** Fields for a release's tag: an existing tag, or a new one and the branch that it will point to. */
export function TagFields({
  path,
  form,
  branches,
  defaultBranch,
  isFixed,
  onLeave,
  onNewTag,
}: TagFieldsProps): ReactNode {
  const hydrated = useHydrated()
  const text = useWatch({ control: form.control, name: 'tag_name' }).trim()
  const asked = useDebounced(text, 200)
  const [isTyping, setTyping] = useState(false)
  const { data } = useQuery({ ...tagSearchQuery(path, asked), enabled: !isFixed })
  const tags = (data?.items ?? []).map((tag, index) => ({ ...tag, id: index + 1 }))
  const existing = tags.find(({ name }) => name === text)
  const isNew = text !== '' && text === asked && data !== undefined && !existing
  const newTag = isNew && !isFixed ? text : ''
  useEffect(() => onNewTag(newTag), [onNewTag, newTag])
  const targets = targetsOf(form, branches, defaultBranch)
  const error = form.formState.errors.tag_name?.message
  if (isFixed) {
    return (
      <p className={styles.tag}>
        <TagIcon /> <strong>{text}</strong>
      </p>
    )
  }
  return (
    <div className={styles.tagRow}>
      <Controller
        control={form.control}
        name="tag_name"
        render={({ field }) => (
          <Picker
            label="Tag"
            placeholder="Find or create a tag"
            inputRef={field.ref}
            error={error}
            text={field.value}
            onText={name => {
              setTyping(true)
              form.clearErrors('tag_name')
              field.onChange(name)
            }}
            options={isTyping ? tags : []}
            nameOf={({ name }) => name}
            selected={existing}
            onSelect={() => undefined}
            onLeave={onLeave}
            status=""
            caption={
              error ? undefined : isNew ? (
                <>
                  <span className={styles.newTag}>New tag</span> It will be created when you publish the
                  release.
                </>
              ) : (
                captionOf(path, existing)
              )
            }
            show={({ name, summary }) => (
              <span>
                <strong>
                  <bdi>{name}</bdi>
                </strong>{' '}
                <bdi className={styles.quiet}>{summary}</bdi>
              </span>
            )}
          />
        )}
      />
      {/* Always rendered, so that the Tab key reaches it before the search responds. */}
      {branches.length > 0 ? (
        <FormControl disabled={!hydrated || existing !== undefined}>
          <FormControl.Label>Target</FormControl.Label>
          <Select block {...form.register('target_commitish')}>
            {targets.map(name => (
              <option key={name} value={name}>
                {name === defaultBranch ? `${isolated(name)} (default)` : name}
              </option>
            ))}
          </Select>
          <FormControl.Caption>
            {existing
              ? 'This tag already exists and won’t be moved.'
              : 'The new tag will point to the latest commit on this branch.'}
          </FormControl.Caption>
        </FormControl>
      ) : null}
    </div>
  )
}

// Includes the saved target, which can be a commit that an API client has set.
function targetsOf(
  { formState, getValues }: TagFieldsProps['form'],
  branches: readonly string[],
  defaultBranch: string,
): string[] {
  const saved = formState.defaultValues?.target_commitish ?? ''
  return [...new Set([defaultBranch, ...branches, saved, getValues('target_commitish')])].filter(Boolean)
}

function captionOf({ owner, repo }: RepoPath, existing: { sha: string } | undefined): ReactNode {
  if (existing) {
    return (
      <>
        This tag is at commit <CommitId repository={{ full_name: `${owner}/${repo}` }} sha={existing.sha} />.
      </>
    )
  }
  return 'Choose an existing tag, or enter a new one, such as v1.0.'
}
