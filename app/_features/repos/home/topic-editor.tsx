'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { XIcon } from '@/app/_components/icons'
import { Picker } from '@/app/_components/picker'
import styles from '@/app/_features/repos/topics.module.css'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import { offerUndo } from '@/app/_lib/use-undoable'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { isTopicName, maxTopics, topicNameOf, topicRule } from '@/server/repos/topics/names'

interface TopicEditorProps {
  path: RepoPath
  topics: readonly string[]
}

interface Suggestion {
  id: number
  name: string
  note: string
}

/** Chips that can be removed, and a field that adds one at a time. */
export function TopicEditor({ path, topics }: TopicEditorProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string>()
  const shown = useShown(topics)
  const suggestions = useSuggestions(text)
  useEffect(() => field.current?.focus(), [])

  const change = async (verb: 'add' | 'remove', topic: string): Promise<void> => {
    await trpc.repos.topics[verb].mutate({ ...path, topic })
    shown.set(topic, verb === 'add')
    refreshPage()
  }
  const fail = (error: unknown): void => setFailure(readFailure(error).message)
  const remove = async (topic: string): Promise<void> => {
    field.current?.focus()
    setFailure(undefined)
    await change('remove', topic)
    const undo = () => change('add', topic)
    offerUndo({ done: `Removed the topic ${topic}`, undo, refresh: async () => undefined })
  }
  const isFull = shown.topics.length >= maxTopics
  const name = topicNameOf(text)

  return (
    <>
      {shown.topics.length > 0 ? (
        <ul className={styles.topics} aria-label="Topics">
          {shown.topics.map(topic => (
            <li key={topic} className={styles.topic}>
              <span className={styles.name}>{topic}</span>
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${topic}`}
                onClick={() => void remove(topic).catch(fail)}
              >
                <XIcon size={12} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <Picker<Suggestion>
        label="Add a topic"
        placeholder="Such as networking"
        inputRef={field}
        text={text}
        onText={value => {
          setFailure(undefined)
          setText(value)
        }}
        options={isFull ? [] : suggestions}
        nameOf={({ name }) => name}
        obstacleOf={option => (shown.topics.includes(option.name) ? 'Already added' : undefined)}
        selected={undefined}
        onSelect={option => {
          if (!option) return
          setText('')
          change('add', option.name).catch(fail)
        }}
        error={failure ?? (name === '' || isTopicName(name) ? undefined : topicRule)}
        caption={
          isFull
            ? `A repository can have ${maxTopics} topics. Remove one to add another.`
            : 'Topics help people to find the repository. Press Enter to add one.'
        }
        status={
          name !== '' && suggestions.length > 0
            ? counted(suggestions.length, 'suggestion', 'suggestions')
            : ''
        }
        show={({ name, note }) => (
          <>
            <strong>{name}</strong>
            {shown.topics.includes(name) ? null : <span className={styles.note}>{note}</span>}
          </>
        )}
      />
    </>
  )
}

/** The topics as the viewer has left them, until the page has them. */
function useShown(topics: readonly string[]): {
  topics: readonly string[]
  set: (topic: string, isThere: boolean) => void
} {
  const [shown, setShown] = useState(topics)
  const [known, setKnown] = useState(topics)
  if (known !== topics) {
    setKnown(topics)
    setShown(topics)
  }
  return {
    topics: shown,
    set: (topic, isThere) =>
      setShown(before => [...before.filter(each => each !== topic), ...(isThere ? [topic] : [])].sort()),
  }
}

/** Topics of other repositories that contain a text, after the text itself if it can be a topic. */
function useSuggestions(text: string): Suggestion[] {
  const name = topicNameOf(text)
  const q = useDebounced(name, 150)
  const { data } = useQuery({
    queryKey: ['topics', q],
    queryFn: () => trpc.repos.topics.search.query({ q, limit: 8 }),
    enabled: isTopicName(q),
    placeholderData: keepPreviousData,
  })
  if (!isTopicName(name)) return []
  const found = (data?.items ?? []).filter(({ topic_name }) => topic_name.includes(name))
  const known = found.map(({ id, topic_name, repo_count }) => ({
    id,
    name: topic_name,
    note: counted(repo_count, 'repository', 'repositories'),
  }))
  const same = known.find(topic => topic.name === name)
  return [same ?? { id: 0, name, note: 'New topic' }, ...known.filter(topic => topic !== same)]
}
