import { listPage } from '@/app/_features/hooks/pages/list-page'
import { placeOfSite } from '@/app/_features/places/read-place'

export const metadata = { title: 'Webhooks' }

export default listPage(placeOfSite)
