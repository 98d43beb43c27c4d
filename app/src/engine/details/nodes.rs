//! The nodes that use this database.

use super::section::Section;
use crate::ui::{icon::Icon, time::date_time::Relative};
use domain::engine::{EngineReport, NodeReport, NodeRole, NodeState};
use leptos::{either::Either, prelude::*};
use texts::engine::EngineTexts;

/// Each node with its heartbeat.
#[component]
pub fn Nodes(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let nodes = Memo::new(move |_| report.with(|report| report.nodes.clone()));
    let body = move || match nodes.get() {
        none if none.is_empty() => Either::Left(view! { <p class="eyebrow">{texts.nodes_empty()}</p> }),
        nodes => Either::Right(table(nodes)),
    };
    let count = move |state| nodes.with(|nodes| nodes.iter().filter(|node| node.state == state).count());
    let summary = Signal::derive(move || match (count(NodeState::Alive), count(NodeState::Lost)) {
        (alive, 0) => texts.nodes_alive(alive),
        (alive, lost) => texts.nodes_lost(alive, lost),
    });
    let has_lost = Signal::derive(move || count(NodeState::Lost) > 0);
    view! {
        <Section id="nodes" title=texts.nodes_title() summary=summary has_problem=has_lost>
            <p class="hint">{texts.nodes_hint()}</p>
            {body}
        </Section>
    }
}

fn table(nodes: Vec<NodeReport>) -> impl IntoView {
    let texts = EngineTexts::here();
    let rows = nodes.into_iter().map(|node| view! { <Node node=node /> }).collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-labelledby="nodes">
            <table class="table">
                <thead><tr>
                    <th scope="col">{texts.node_name()}</th>
                    <th scope="col">{texts.node_state()}</th>
                    <th scope="col">{texts.last_beat()}</th>
                    <th scope="col">{texts.node_role()}</th>
                    <th scope="col">{texts.version()}</th>
                    <th scope="col">{texts.started()}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Node(node: NodeReport) -> impl IntoView {
    let texts = EngineTexts::here();
    let (class, mark, state) = match node.state {
        NodeState::Alive if node.is_draining => ("state-word", "scheduled", texts.node_draining()),
        NodeState::Alive => ("state-word good", "executed", texts.node_alive()),
        NodeState::Stopped => ("state-word", "cancelled", texts.node_stopped()),
        NodeState::Lost => ("state-word bad", "failed", texts.node_lost()),
    };
    let role = match node.role {
        NodeRole::Web => texts.role_web(),
        NodeRole::Work => texts.role_work(),
        NodeRole::All => texts.role_all(),
    };
    let this = node.is_self.then(|| view! { " " <span class="eyebrow">{texts.this_node()}</span> });
    view! {
        <tr>
            <th scope="row">{node.name}{this}</th>
            <td><span class=class><Icon name=mark />{state}</span></td>
            <td><Relative at=node.heartbeat_at is_past=true /></td>
            <td>{role}</td>
            <td>{node.version}</td>
            <td><Relative at=node.started_at /></td>
        </tr>
    }
}
