//! Chooses another channel for a message that was not handed to its channel yet.

use crate::{
    deliveries::server_fns::list_channels,
    messages::server_fns::ChangeMessageChannel,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, choice::Choice, typed},
    },
};
use domain::{State, channel::Channel, message::MessageDetails};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{deliveries::ChannelTexts, messages::MessageTexts};

/// The form. Hidden if the message was handed to its channel or cancelled, or if there is no channel.
#[component]
pub fn ChangeChannel(
    /// The message.
    message: Memo<MessageDetails>,
) -> impl IntoView {
    let channels = Resource::new(|| (), |()| list_channels());
    let shown = Memo::new(move |_| {
        message.with(|details| {
            let row = &details.message.row;
            let is_open = matches!(row.state, State::Scheduled | State::Failed | State::Missed);
            is_open.then(|| (row.id.to_string(), row.channel_id.to_string(), row.state == State::Scheduled))
        })
    });
    view! {
        <AsyncView from=channels children=move |channels| {
            move || shown.get().filter(|_| channels.with(|all| !all.is_empty())).map(|(id, chosen, is_scheduled)| {
                view! { <ChannelForm channels=channels.get() id=id chosen=chosen is_scheduled=is_scheduled /> }
            })
        } />
    }
}

#[component]
fn ChannelForm(channels: Vec<Channel>, id: String, chosen: String, is_scheduled: bool) -> impl IntoView {
    let (texts, channel_texts, path) =
        (MessageTexts::here(), ChannelTexts::here(), ChangeMessageChannel::PATH);
    let option = |channel: Channel| {
        let transport = channel_texts.transport_name(channel.settings.endpoint.transport());
        (channel.id.to_string(), format!("{} · {transport}", channel.settings.name))
    };
    let options = channels.into_iter().filter(Channel::sends_messages).map(option).collect();
    let label = if is_scheduled { texts.change_channel() } else { texts.send_by_channel() };
    view! {
        <PlainForm function=path class="row">
            <input type="hidden" name="id" value=id />
            <Choice
                name="channel_id" label=texts.channel() options=options
                chosen=typed(path, "channel_id").unwrap_or(chosen)
            />
            <button class="button" type="submit">{label}</button>
        </PlainForm>
    }
}
