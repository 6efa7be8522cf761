'use client'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { TagIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { WorkList } from '@/app/_components/work-list'
import { tagList } from '@/app/_lib/lists'
import { releasePath, repositoryPath } from '@/app/_lib/paths'
import { tagsQuery } from '@/app/_lib/queries/refs'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { TagTip } from '@/server/repos/refs/schema'
import type { Repository } from '@/server/repos/schema'
import { DeleteRefsButton } from './delete-refs-button'
import { NewTagButton } from './ref-buttons'
import { RefActions, TagRow } from './ref-rows'
import { useStates } from './use-states'

interface TagListProps {
  repository: Pick<Repository, 'full_name' | 'name' | 'owner' | 'default_branch' | 'empty'>
  mayPush: boolean
  mayRelease: boolean
}

export function TagList({ repository, mayPush, mayRelease }: TagListProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const list = useListChoice(tagList)
  const rows = useListRows(tagsQuery(path, list.choice))
  const states = useStates(path, rows)
  const newTag =
    mayPush && !repository.empty ? <NewTagButton path={path} source={repository.default_branch} /> : undefined

  return (
    <WorkList<TagTip>
      title="Tags"
      noun="tag"
      icon={TagIcon}
      list={list}
      rows={rows}
      idOf={tag => tag.name}
      nameOf={tag => tag.name}
      empty={
        <EmptyState icon={TagIcon} title="No tags yet" action={newTag}>
          <p>
            {newTag
              ? 'Tags mark specific commits, such as released versions. Create one here, or push one:'
              : 'Tags mark specific commits, such as released versions. Create a tag and push it:'}
          </p>
          <CommandLine command={'git tag v1.0\ngit push origin v1.0'} what="commands" />
        </EmptyState>
      }
      row={(tag, check) => (
        <TagRow
          key={tag.name}
          path={{ owner: repository.owner.login, repo: repository.name }}
          tag={tag}
          states={states}
          check={check}
          action={
            tag.is_released || mayRelease || mayPush ? (
              <RefActions>
                <ReleaseLink repository={repository} tag={tag} mayRelease={mayRelease} />
                {mayPush && !tag.is_released ? (
                  <DeleteRefsButton path={path} kind="tag" refs={[tag]} />
                ) : null}
              </RefActions>
            ) : null
          }
        />
      )}
      forAll={newTag}
      bulk={
        mayPush
          ? {
              takes: tag => !tag.is_released,
              actions: (tags, done) => (
                <DeleteRefsButton path={path} kind="tag" refs={tags} onDone={done} isBulk />
              ),
            }
          : undefined
      }
    />
  )
}

interface ReleaseLinkProps extends Pick<TagListProps, 'repository' | 'mayRelease'> {
  tag: TagTip
}

/**
 * Link to a tag's release, or to the form that creates one. Renders nothing if there is no release and the
 * viewer cannot create one.
 */
function ReleaseLink({ repository, tag: { name, is_released }, mayRelease }: ReleaseLinkProps): ReactNode {
  if (!is_released && !mayRelease) return null
  const href = is_released
    ? releasePath(repository, name)
    : repositoryPath(repository, `releases/new?tag=${encodeURIComponent(name)}`)
  return (
    <ButtonLink href={href} size="small">
      {is_released ? 'View release' : 'Create release'} <span className="visually-hidden">for {name}</span>
    </ButtonLink>
  )
}
